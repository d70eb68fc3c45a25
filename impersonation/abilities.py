from accounts.abilities import register

register(impersonate=lambda account: account.is_staff)
